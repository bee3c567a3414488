#!/bin/sh
# restore.sh FOLDER: what backup.sh wrote, into an empty database and an empty media folder.
set -eu
folder=${1:?"Say where from: restore.sh FOLDER"}
: "${DATABASE_URL:?"DATABASE_URL is missing"}" "${MEDIA_ROOT:?"MEDIA_ROOT is missing"}"
test -f "$folder/database.dump" || { echo "$folder holds no finished backup." >&2; exit 1; }
if [ -n "$(ls -A "$MEDIA_ROOT" 2>/dev/null)" ]; then
  echo "$MEDIA_ROOT is not empty. Move it away first; nothing was restored." >&2
  exit 1
fi
tables=$(psql -At -c "select count(*) from information_schema.tables where table_schema = 'public'" "$DATABASE_URL")
if [ "$tables" != 0 ]; then
  echo "The database is not empty. Make a new one first; nothing was restored." >&2
  exit 1
fi
pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" "$folder/database.dump"
mkdir -p "$MEDIA_ROOT"
cp -a "$folder/media/." "$MEDIA_ROOT/"
echo "Restored from $folder."
