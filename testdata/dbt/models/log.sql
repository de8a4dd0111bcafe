-- grows: rows are added
{{ config(materialized='incremental') }}
SELECT id, placed_at FROM {{ ref('order_totals') }}
{% if is_incremental() %}
WHERE placed_at > (SELECT max(placed_at) FROM {{ this }})
{% endif %}
