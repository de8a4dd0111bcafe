-- a view
SELECT id, customer, cents / 100.0 AS total, placed_at FROM {{ ref('orders') }}
