#!/bin/sh
# backup.sh FOLDER: make FOLDER/TIME with the database and the media, and keep the newest 14
# (KEEP=14). As root. /etc/vericap.env isn't in it: keep a copy of SECRET_KEY elsewhere.
set -eu
folder=${1:?"Say where to: backup.sh FOLDER"}
. /srv/vericap/deploy/database.sh
test "${KEEP:=14}" -gt 0 || { echo "KEEP is $KEEP. Set it to 1 or more." >&2; exit 1; }
umask 077 # the dump holds password hashes
mkdir -p "$folder"
exec 9> "$folder/.lock"
flock 9
rm -rf "$folder"/*Z.part # of a backup that was killed
new=$folder/$(date -u +%Y-%m-%dT%H%M%SZ)
newest=$(ls "$folder" | grep 'Z$' | tail -n 1)
mkdir -p "$new.part/media"
pg_dump --format=custom --file="$new.part/database.dump"
# Media after the database: files never change, so each one that the dump names is there. What an
# earlier backup has is linked, not copied. 24: a file was deleted meanwhile.
rsync -a ${newest:+--link-dest="$folder/$newest/media"} "$MEDIA_ROOT/" "$new.part/media/" ||
  test $? = 24
mv -T "$new.part" "$new"
ls "$folder" | grep 'Z$' | head -n "-$KEEP" | while read -r old; do
  rm -rf "${folder:?}/$old"
done
echo "Backed up to $new."
