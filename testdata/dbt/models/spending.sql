-- a table
{{ config(materialized='table') }}
SELECT c.id AS customer, c.name, sum(o.total) AS total, count(b.id) AS big
FROM {{ ref('customers') }} c
JOIN {{ ref('order_totals') }} o ON o.customer = c.id
LEFT JOIN {{ ref('big') }} b ON b.id = o.id
GROUP BY 1, 2
