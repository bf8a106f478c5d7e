#!/bin/sh
# Makes the certificates and keys of three servers and their etcd, in the directory that is given first. The other
# arguments are the addresses by which the machines, and the load balancer before them, are reached.
#
#   ./make-certificates.sh pki 10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.100
set -eu
umask 077
directory=$1
shift
mkdir -p "$directory"
cd "$directory"
days=365

names="DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
names="$names,IP:127.0.0.1,IP:10.96.0.1"
for address in "$@"; do
  case $address in
    *[!0-9.:a-fA-F]*) names="$names,DNS:$address" ;;
    *) names="$names,IP:$address" ;;
  esac
done

key() {
  openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$1"
}

authority() { # name, common name
  key "$1.key"
  openssl req -x509 -new -key "$1.key" -subj "/CN=$2" -days 3650 -out "$1.crt" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
}

issue() { # name, authority, subject, usage, names
  key "$1.key"
  {
    echo "basicConstraints=critical,CA:FALSE"
    echo "keyUsage=critical,digitalSignature"
    echo "extendedKeyUsage=$4"
    if [ -n "$5" ]; then echo "subjectAltName=$5"; fi
  } > "$1.ext"
  openssl req -new -key "$1.key" -subj "$3" |
    openssl x509 -req -CA "$2.crt" -CAkey "$2.key" -CAcreateserial -days "$days" -extfile "$1.ext" -out "$1.crt"
  rm "$1.ext"
}

authority ca keelson-ca
authority etcd-ca etcd-ca
issue apiserver ca /CN=keelson serverAuth "$names"
issue admin ca /O=system:masters/CN=admin clientAuth ""
issue etcd etcd-ca /CN=etcd serverAuth,clientAuth "$names"
issue etcd-client etcd-ca /CN=keelson clientAuth ""
key service-account.key
rm -f ./*.srl
