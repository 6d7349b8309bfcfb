#!/bin/sh
# Terms that were kept go with "purge" only. Keys and tokens in /etc/caucus are the operator's and stay.
set -e
case "$1" in
purge) rm -rf /var/lib/caucus /var/lib/private/caucus ;;
esac
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
