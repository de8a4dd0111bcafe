-- grows: rows of a key that come again are updated, by MERGE
{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id', merge_exclude_columns=['placed_at']) }}
SELECT id, customer, total, placed_at FROM {{ ref('order_totals') }}
