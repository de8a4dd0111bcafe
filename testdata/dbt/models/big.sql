-- no relation of its own
{{ config(materialized='ephemeral') }}
SELECT * FROM {{ ref('order_totals') }} WHERE total > 10
