/** As the stock list says it, unless a clerk has found none since. */
export const isActive = '(o.is_active and o.down_at is null)'

const moment = `to_char(o.down_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** In the length in which it is printed, as `formatGtin` of the contract writes it. */
const gtin = `lpad(o.gtin, case when length(o.gtin) <= 8 then 8 else greatest(12, length(o.gtin)) end, '0')`

/**
 * The JSON text of an offering `o` of the merchant `m`, as the contract has it. The database writes it, because the
 * server answers nobody else while it turns 5,000 objects into text. `concat` leaves out a part that is null.
 */
export const offeringText = `concat(
  '{"id":', to_json(o.offering_id),
  ',"price":', trim_scale(o.price_cents::numeric / 100),
  ',"quantity":', o.quantity,
  ',"is_active":', ${isActive}::text,
  ',"stock_behavior":', coalesce(to_json(o.stock_behavior)::text, 'null'),
  ',"product":', case when o.product_id is null then 'null' else concat(
    '{"tpk":', to_json(o.product_id),
    ',"product_line":', case when o.product_name is null then 'null' else concat(
      '{"name":', to_json(o.product_name),
      ',"brand":', coalesce('{"name":' || to_json(o.brand) || '}', 'null'), '}') end,
    ',"container_size":', coalesce('{"formatted":' || to_json(o.container_size) || '}', 'null'), '}') end,
  ',"merchant":{"name":', to_json(m.name), '}',
  ',"beverage_class":' || to_json(o.beverage_class),
  ',"abv":' || trim_scale(o.abv::numeric),
  ',"volume_ml":' || trim_scale(o.volume_ml::numeric),
  ',"gtin":' || to_json(${gtin}),
  ',"location":' || to_json(o.location),
  case when o.down_at is not null then concat(',"taken_down":{"at":"', ${moment},
    '","by":', to_json(coalesce(o.down_by, '')), ',"order_id":', to_json(coalesce(o.down_order_id, '')), '}') end,
  '}')`
