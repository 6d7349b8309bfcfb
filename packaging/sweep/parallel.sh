#!/bin/sh
# A sweep in 20 shards on the machines of a list, by GNU parallel over ssh: parallel.sh study.yaml machines.txt
# Each has caucus and a copy of the study; a shard that fails is tried again, and goes on from where it was.
set -eu
parallel --sshloginfile "$2" --retries 5 --joblog sweep.log --transferfile "$1" --return 'part-{}.parquet' --cleanup \
	caucus sweep "$1" --shard '{}/20' -o 'part-{}.parquet' ::: $(seq 20)
caucus sweep merge part-*.parquet -o all.parquet
