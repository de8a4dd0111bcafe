{% snapshot customers_over_time %}
{{ config(target_schema='shop', unique_key='id', strategy='check', check_cols=['country']) }}
SELECT * FROM {{ ref('customers') }}
{% endsnapshot %}
