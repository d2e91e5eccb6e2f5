/**
 * A certificate for `receiver.example` that was valid in January 2020, its own issuer. For tests: its key is the key of
 * `certificate`. Made by `openssl ca -selfsign -startdate 20200101000000Z -enddate 20200201000000Z`.
 */
export const expiredCertificate = `-----BEGIN CERTIFICATE-----
MIIBYzCCAQmgAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBFeHBpcmVk
IHJlY2VpdmVyMB4XDTIwMDEwMTAwMDAwMFoXDTIwMDIwMTAwMDAwMFowGzEZMBcG
A1UEAwwQRXhwaXJlZCByZWNlaXZlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BBVOs4VkPcwcZ94Okw/jjbo6HrGiBw3ItR/B/PgOKCnLcysllHqmmb/VFqD1HeZU
aMw9wJc1P1Dhao+swO5kDQqjPjA8MBsGA1UdEQQUMBKCEHJlY2VpdmVyLmV4YW1w
bGUwHQYDVR0OBBYEFOmn3SeiOXCa8xiyaqGwtu23ZlfbMAoGCCqGSM49BAMCA0gA
MEUCIQDg0JmmOQACPK7PRz8BLGmI00N+jSPNdT9IzCmWOVrDmgIgF3zuNEOApAjB
kuFkHYr+cYyZzMy5scDQJQuzH+2xTE4=
-----END CERTIFICATE-----`;
