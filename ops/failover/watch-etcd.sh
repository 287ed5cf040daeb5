#!/bin/sh
# The Patroni of Debian 12 can keep an old answer of etcd for good, once its machine has stood still for some seconds
# (https://github.com/patroni/patroni/issues/2779). At each turn it then logs the sentence below, and etcd names no
# standby that could take over. Without its connections to etcd it reads everything anew, and nothing else changes.
#
# Reads the last minute of Patroni's log. The ports of etcd are in ETCD_PORTS.
said=$(grep -c 'Synchronous replication key updated by someone else')
[ "$said" -ge 3 ] || exit 0
echo "Patroni holds an old answer of etcd: its connections to etcd are closed"
for port in ${ETCD_PORTS:-2379}; do
  ss --kill --no-header --tcp state established "( dport = :$port )" > /dev/null
done
