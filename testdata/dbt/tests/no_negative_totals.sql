SELECT * FROM {{ ref('order_totals') }} WHERE total < 0
