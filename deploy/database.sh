# For scripts of this folder: read /etc/vericap.env, and let pg_dump and the like connect to the
# site's database through a file that only root reads, so that no command line has its password.
set -a
. /etc/vericap.env
set +a
PGSERVICEFILE=$(mktemp)
PGSERVICE=vericap
export PGSERVICEFILE PGSERVICE
trap 'rm -f "$PGSERVICEFILE"' EXIT
cd /srv/vericap
.venv/bin/python -m config.service_file vericap > "$PGSERVICEFILE"
