#!/bin/sh
# restore.sh FOLDER/TIME: what backup.sh wrote, into an empty database and an empty media folder.
# As root.
set -eu
folder=${1:?"Say where from: restore.sh FOLDER/TIME"}
. /srv/vericap/deploy/database.sh
test -f "$folder/database.dump" || { echo "$folder holds no finished backup." >&2; exit 1; }
if [ -n "$(ls -A "$MEDIA_ROOT" 2>/dev/null)" ]; then
  echo "$MEDIA_ROOT is not empty. Move it away first; nothing was restored." >&2
  exit 1
fi
tables=$(psql -At -c "select count(*) from information_schema.tables where table_schema = 'public'")
if [ "$tables" != 0 ]; then
  echo "The database is not empty. Make a new one first; nothing was restored." >&2
  exit 1
fi
pg_restore --no-owner --exit-on-error --dbname="service=$PGSERVICE" "$folder/database.dump"
rsync -a "$folder/media/" "$MEDIA_ROOT/"
echo "Restored from $folder."
