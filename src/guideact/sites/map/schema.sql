-- What people keep on the map. The map itself (roads, buildings, places) is no table: it never changes, and stands in
-- data/helsinki.json. `place` is the number of a place there (n123, w45, b6) or "latitude,longitude" of a point.
-- Dates are ISO text in the sites' fixed time zone, booleans are 0/1.

CREATE TABLE member (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL,
  password TEXT NOT NULL,
  city TEXT NOT NULL DEFAULT '',
  units TEXT NOT NULL DEFAULT 'km',              -- km | miles
  travel_mode TEXT NOT NULL DEFAULT 'foot',      -- car | bicycle | foot: what directions begin with
  keep_history INTEGER NOT NULL DEFAULT 1,
  public_reviews INTEGER NOT NULL DEFAULT 1,     -- whether reviews carry the full name or the user name
  joined_at TEXT NOT NULL,
  last_login_at TEXT
);

CREATE TABLE session (
  token TEXT PRIMARY KEY,
  site TEXT NOT NULL,
  user_id INTEGER,                               -- member.id; null for a guest
  csrf TEXT NOT NULL,
  flash TEXT NOT NULL DEFAULT '[]',
  data TEXT NOT NULL DEFAULT '{}'                -- layers, a guest's units, JSON
);

CREATE TABLE place_list (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  is_public INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
);

CREATE TABLE saved_place (
  id INTEGER PRIMARY KEY,
  list_id INTEGER NOT NULL REFERENCES place_list(id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  colour TEXT NOT NULL DEFAULT 'blue',           -- of its marker: red, orange, yellow, green, blue, purple
  created_at TEXT NOT NULL,
  UNIQUE (list_id, place)
);

CREATE TABLE review (
  id INTEGER PRIMARY KEY,
  place TEXT NOT NULL,
  member_id INTEGER NOT NULL REFERENCES member(id),
  rating INTEGER NOT NULL,                       -- 1 to 5
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  helpful INTEGER NOT NULL DEFAULT 0,            -- how many found it so before there were votes by name
  UNIQUE (place, member_id)
);
CREATE INDEX review_place ON review(place);

CREATE TABLE helpful_vote (
  id INTEGER PRIMARY KEY,
  review_id INTEGER NOT NULL REFERENCES review(id) ON DELETE CASCADE,
  member_id INTEGER NOT NULL REFERENCES member(id),
  UNIQUE (review_id, member_id)
);

CREATE TABLE report (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  place TEXT NOT NULL,
  kind TEXT NOT NULL,                            -- closed | hours | moved | name | missing | other
  details TEXT NOT NULL,
  noticed_on TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'new',            -- new | checked | mended | declined
  created_at TEXT NOT NULL
);

CREATE TABLE search_history (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  query TEXT NOT NULL,
  created_at TEXT NOT NULL
);
