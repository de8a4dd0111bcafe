-- a view over the result of a continuous query
SELECT window_start, clicks FROM {{ source('live', 'clicks_by_minute') }} WHERE clicks > 1
