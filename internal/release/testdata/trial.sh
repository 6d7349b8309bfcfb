#!/bin/sh
# What an operator does with a package, under a systemd that has just booted. Each line is one thing that held.
set -e
held() { echo "held: $*"; }
active() { systemctl is-active caucus.service || true; }
pid() { systemctl show -p MainPID --value caucus.service; }
settled() { # until the node says that it leads, which takes a few rounds
	for _ in $(seq 100); do
		case "$(systemctl show -p StatusText --value caucus.service)" in lead\ *) return 0 ;; esac
		sleep 0.1
	done
	systemctl status --no-pager caucus.service || true
	return 1
}

dpkg -i /root/old.deb
[ "$(active)" = inactive ] && held "installed, not started"

printf 'name: trial\nlisten: 127.0.0.1:7400\nhttp: unix:/run/caucus/http\nstate-dir: /var/lib/caucus\n' >/etc/caucus/agent.yaml
mkdir /run/systemd/system/caucus.service.d
printf '[Service]\nWatchdogSec=3s\n' >/run/systemd/system/caucus.service.d/trial.conf
systemctl daemon-reload
systemctl enable --now caucus.service
settled
[ "$(ps -o user= -p "$(pid)")" != root ] && held "runs, not as root, and leads"
caucus status --addr unix:/run/caucus/http >/dev/null && held "tells its status on its socket"

before=$(pid)
systemctl reload caucus.service
[ "$(active)" = active ] && [ "$(pid)" = "$before" ] && held "reloads without a restart"

kill -STOP "$before"
for _ in $(seq 120); do
	sleep 0.1
	now=$(pid)
	[ "$now" != "$before" ] && [ "$now" != 0 ] && break
done
settled
[ "$(pid)" != "$before" ] && held "a process that stands still is replaced"

before=$(pid)
dpkg -i /root/new.deb
settled
[ "$(pid)" != "$before" ] && grep -q 'name: trial' /etc/caucus/agent.yaml && held "upgraded: restarted, with its configuration"
[ -n "$(ls /var/lib/caucus/)" ] && held "terms are kept"

dpkg -r caucus
[ "$(active)" = inactive ] && [ ! -e /usr/bin/caucus ] && [ -e /etc/caucus/agent.yaml ] && held "removed: stopped, configuration kept"
dpkg -P caucus
[ ! -e /etc/caucus/agent.yaml ] && [ ! -e /var/lib/private/caucus ] && held "purged: nothing is left"
