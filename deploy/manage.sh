#!/bin/sh
# manage.sh COMMAND ...: a command of manage.py as the user vericap, with /etc/vericap.env. As root.
set -eu
set -a
. /etc/vericap.env
set +a
cd /srv/vericap
exec runuser -u vericap -- .venv/bin/python manage.py "$@"
