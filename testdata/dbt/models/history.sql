-- grows: rows of a key that come again replace the old ones
{{ config(materialized='incremental', unique_key='id') }}
SELECT id, customer, total, placed_at FROM {{ ref('order_totals') }}
{% if is_incremental() %}
WHERE placed_at > (SELECT max(placed_at) FROM {{ this }})
{% endif %}
