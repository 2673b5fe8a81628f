#!/usr/bin/env bash
# Serve the mall for a comparison with another shop: 20,000 products, shoppers with filled carts, two web processes, until Ctrl-C.
#   DATABASE_URL=postgres://postgres@127.0.0.1:5432/mall_peer bench/peers/ours.sh   (the database is made anew; needs psql)
# Env: DATABASE_URL PORT(8711) N(20000) N_ORDER(2500) IDS(/tmp/mall-ids.json) CACHE_URL
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "${1:-}" != --help ] || { sed -n '2,/^set/s/^# //p' bench/peers/ours.sh; exit; }
: "${DATABASE_URL:?name a PostgreSQL database that may be dropped}"
PORT=${PORT:-8711}; N=${N:-20000}; N_ORDER=${N_ORDER:-2500}; IDS=${IDS:-/tmp/mall-ids.json}
PY=.venv/bin/python
name=${DATABASE_URL##*/}
export DATABASE_URL DJANGO_SETTINGS_MODULE=bench.settings PYTHONPATH=$PWD LOG_LEVEL=WARNING MEDIA_ROOT=${MEDIA_ROOT:-$(mktemp -d)}
[ "${1:-}" = serve ] || {
  psql -q "${DATABASE_URL%/*}/postgres" -c "DROP DATABASE IF EXISTS \"$name\" WITH (FORCE)" -c "CREATE DATABASE \"$name\" TEMPLATE template0 ENCODING 'UTF8'"
  psql -q "$DATABASE_URL" -c "CREATE EXTENSION IF NOT EXISTS pg_stat_statements" || true
  $PY manage.py migrate --verbosity 0
  $PY manage.py load_demo
  $PY -m bench.grow "$N"
}
$PY -m bench.prepare "$IDS" "$N_ORDER"
echo "serving http://127.0.0.1:$PORT, lists in $IDS"
export LOG_LEVEL=INFO
exec $PY -m bench.server "$PORT" 2>/dev/null
