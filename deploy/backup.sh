#!/bin/sh
# backup.sh FOLDER: the database, then the media, into FOLDER (made if missing).
# Needs DATABASE_URL and MEDIA_ROOT in the environment, as in /etc/vericap.env.
set -eu
folder=${1:?"Say where to: backup.sh FOLDER"}
: "${DATABASE_URL:?"DATABASE_URL is missing"}" "${MEDIA_ROOT:?"MEDIA_ROOT is missing"}"
umask 077  # the dump holds password hashes
mkdir -p "$folder/media"
pg_dump --format=custom --file="$folder/database.dump.part" "$DATABASE_URL"
# Media after the database: files are only ever added, so each one that the dump names is there.
cp -a "$MEDIA_ROOT/." "$folder/media/"
mv "$folder/database.dump.part" "$folder/database.dump"
echo "Backed up to $folder."
