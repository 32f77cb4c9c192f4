-- One database serves the storefront (shopping) and its back office (shopping_admin).
-- Money is whole cents, dates are ISO text in the sites' fixed time zone, booleans are 0/1.
-- Primary keys are small integers given in insertion order, so that a pristine image is the same on every build.

CREATE TABLE setting (
  key TEXT PRIMARY KEY,              -- general.store_name, tax.rate_percent, shipping.free_over_cents, ...
  value TEXT NOT NULL
);

-- catalogue ---------------------------------------------------------------------------------------------------------
CREATE TABLE category (
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES category(id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE product (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  brand TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category(id),
  price_cents INTEGER NOT NULL,
  special_price_cents INTEGER,       -- a sale price, when there is one
  stock INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'enabled',        -- enabled | disabled
  visibility TEXT NOT NULL DEFAULT 'catalog_search',  -- catalog_search | catalog | search | hidden
  description TEXT NOT NULL DEFAULT '',          -- markup written in the back office's rich-text editor
  material TEXT NOT NULL DEFAULT '',
  weight_grams INTEGER NOT NULL DEFAULT 0,
  picture_shape TEXT NOT NULL,       -- what the drawn picture shows, so that a task can ask for what only the eye sees
  picture_colour TEXT NOT NULL,
  picture_pattern TEXT NOT NULL DEFAULT 'plain',
  created_at TEXT NOT NULL,
  is_new INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE product_option (        -- Size, Colour, ...: a buyer must choose one value of each
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES product(id),
  name TEXT NOT NULL,
  position INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE product_option_value (
  id INTEGER PRIMARY KEY,
  option_id INTEGER NOT NULL REFERENCES product_option(id),
  label TEXT NOT NULL,
  extra_cents INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE review (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES product(id),
  customer_id INTEGER REFERENCES customer(id),
  nickname TEXT NOT NULL,
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',        -- pending | approved | rejected
  created_at TEXT NOT NULL
);

-- people ------------------------------------------------------------------------------------------------------------
CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  password TEXT NOT NULL,            -- made-up accounts of a local toy shop: kept readable on purpose
  phone TEXT NOT NULL DEFAULT '',
  customer_group TEXT NOT NULL DEFAULT 'General',      -- General | Wholesale | Retailer
  is_active INTEGER NOT NULL DEFAULT 1,
  note TEXT NOT NULL DEFAULT '',     -- staff's note, seen in the back office only
  created_at TEXT NOT NULL,
  last_login_at TEXT
);

CREATE TABLE address (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer(id),
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  street TEXT NOT NULL,
  city TEXT NOT NULL,
  postcode TEXT NOT NULL,
  country TEXT NOT NULL,
  phone TEXT NOT NULL DEFAULT '',
  is_default_billing INTEGER NOT NULL DEFAULT 0,
  is_default_shipping INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE staff (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL,
  password TEXT NOT NULL,
  role TEXT NOT NULL,                -- Administrator | Catalog | Sales
  last_login_at TEXT
);

-- signed-in browsers; never part of a state comparison
CREATE TABLE session (
  token TEXT PRIMARY KEY,
  site TEXT NOT NULL,                -- shopping | shopping_admin
  user_id INTEGER,                   -- customer.id or staff.id; null for a guest
  csrf TEXT NOT NULL,
  flash TEXT NOT NULL DEFAULT '[]',  -- messages for the next page, JSON
  data TEXT NOT NULL DEFAULT '{}'    -- compare list, checkout draft, grid filters, closed banners, JSON
);

-- wishes, carts, coupons --------------------------------------------------------------------------------------------
CREATE TABLE wishlist_item (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer(id),
  product_id INTEGER NOT NULL REFERENCES product(id),
  note TEXT NOT NULL DEFAULT '',
  quantity INTEGER NOT NULL DEFAULT 1,
  added_at TEXT NOT NULL
);

CREATE TABLE compare_item (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer(id),
  product_id INTEGER NOT NULL REFERENCES product(id)
);

CREATE TABLE cart (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER REFERENCES customer(id),   -- null: a guest's, found by the session's data
  coupon_code TEXT NOT NULL DEFAULT ''
);

CREATE TABLE cart_item (
  id INTEGER PRIMARY KEY,
  cart_id INTEGER NOT NULL REFERENCES cart(id),
  product_id INTEGER NOT NULL REFERENCES product(id),
  options TEXT NOT NULL DEFAULT '{}',            -- {"Size": "M"}, JSON, keys sorted
  quantity INTEGER NOT NULL,
  unit_cents INTEGER NOT NULL
);

CREATE TABLE promotion (             -- cart price rules; a coupon is a promotion with a code
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  code TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,                -- percent | fixed | free_shipping
  amount INTEGER NOT NULL DEFAULT 0, -- percent points, or cents
  minimum_cents INTEGER NOT NULL DEFAULT 0,
  customer_group TEXT NOT NULL DEFAULT '',       -- '' is everybody
  starts_on TEXT,
  ends_on TEXT,
  uses INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1
);

-- orders ------------------------------------------------------------------------------------------------------------
CREATE TABLE sales_order (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,       -- nine digits: 000000187
  customer_id INTEGER REFERENCES customer(id),
  email TEXT NOT NULL,
  status TEXT NOT NULL,              -- pending | processing | complete | canceled | on_hold | closed
  created_at TEXT NOT NULL,
  subtotal_cents INTEGER NOT NULL,
  discount_cents INTEGER NOT NULL DEFAULT 0,
  shipping_cents INTEGER NOT NULL,
  tax_cents INTEGER NOT NULL,
  total_cents INTEGER NOT NULL,
  refunded_cents INTEGER NOT NULL DEFAULT 0,
  coupon_code TEXT NOT NULL DEFAULT '',
  shipping_method TEXT NOT NULL,     -- standard | express | pickup
  payment_method TEXT NOT NULL,      -- card | invoice | cash_on_delivery
  ship_name TEXT NOT NULL,
  ship_street TEXT NOT NULL,
  ship_city TEXT NOT NULL,
  ship_postcode TEXT NOT NULL,
  ship_country TEXT NOT NULL,
  ship_phone TEXT NOT NULL DEFAULT '',
  bill_name TEXT NOT NULL,
  bill_street TEXT NOT NULL,
  bill_city TEXT NOT NULL,
  bill_postcode TEXT NOT NULL,
  bill_country TEXT NOT NULL,
  gift_message TEXT NOT NULL DEFAULT ''
);

CREATE TABLE order_item (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES sales_order(id),
  product_id INTEGER NOT NULL REFERENCES product(id),
  name TEXT NOT NULL,
  sku TEXT NOT NULL,
  options TEXT NOT NULL DEFAULT '{}',
  quantity INTEGER NOT NULL,
  unit_cents INTEGER NOT NULL,
  invoiced INTEGER NOT NULL DEFAULT 0,           -- units
  shipped INTEGER NOT NULL DEFAULT 0,
  refunded INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE order_comment (         -- history of an order
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES sales_order(id),
  status TEXT NOT NULL,
  body TEXT NOT NULL,
  is_visible INTEGER NOT NULL DEFAULT 0,         -- to the customer
  author TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);

CREATE TABLE invoice (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  order_id INTEGER NOT NULL REFERENCES sales_order(id),
  total_cents INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'paid',            -- open | paid | canceled
  created_at TEXT NOT NULL
);

CREATE TABLE shipment (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  order_id INTEGER NOT NULL REFERENCES sales_order(id),
  carrier TEXT NOT NULL DEFAULT '',              -- DHL | UPS | FedEx | Posti
  tracking_number TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);

CREATE TABLE refund (                -- credit memos
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  order_id INTEGER NOT NULL REFERENCES sales_order(id),
  total_cents INTEGER NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);

-- words and messages ------------------------------------------------------------------------------------------------
CREATE TABLE cms_page (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  body TEXT NOT NULL,                -- markup
  is_active INTEGER NOT NULL DEFAULT 1,
  updated_at TEXT NOT NULL
);

CREATE TABLE newsletter_subscriber (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  customer_id INTEGER REFERENCES customer(id),
  status TEXT NOT NULL DEFAULT 'subscribed',     -- subscribed | unsubscribed
  created_at TEXT NOT NULL
);

CREATE TABLE contact_message (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL DEFAULT '',
  subject TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
);

CREATE TABLE search_term (           -- what visitors searched for; a report of the back office
  id INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE,
  results INTEGER NOT NULL,
  uses INTEGER NOT NULL
);

CREATE TABLE product_view (          -- a view counter: pages may raise it without having changed anything that counts
  product_id INTEGER PRIMARY KEY REFERENCES product(id),
  views INTEGER NOT NULL
);

CREATE INDEX product_by_category ON product(category_id);
CREATE INDEX option_by_product ON product_option(product_id);
CREATE INDEX option_value_by_option ON product_option_value(option_id);
CREATE INDEX review_by_product ON review(product_id, status, rating);  -- covers the mean of a product's approved reviews
CREATE INDEX address_by_customer ON address(customer_id);
CREATE INDEX wish_by_customer ON wishlist_item(customer_id);
CREATE INDEX cart_by_customer ON cart(customer_id);
CREATE INDEX cart_item_by_cart ON cart_item(cart_id);
CREATE INDEX order_by_customer ON sales_order(customer_id);
CREATE INDEX order_item_by_order ON order_item(order_id);
CREATE INDEX comment_by_order ON order_comment(order_id);
CREATE INDEX invoice_by_order ON invoice(order_id);
CREATE INDEX shipment_by_order ON shipment(order_id);
CREATE INDEX refund_by_order ON refund(order_id);
