-- a continuous query: made once, kept up to date by the server
{{ config(materialized='materialized_view', on_configuration_change='continue') }}
SELECT window_start, window_end, page, count(*) AS clicks
FROM TUMBLE(TABLE {{ source('live', 'clicks') }}, DESCRIPTOR(at), INTERVAL '1 minute')
GROUP BY window_start, window_end, page
