#!/bin/sh
# dpkg says remove or upgrade, rpm how many versions stay.
set -e
[ -d /run/systemd/system ] || exit 0
case "$1" in
remove | 0) systemctl disable --now caucus.service ;;
esac
