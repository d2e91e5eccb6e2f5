import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * A certificate for `receiver.example`, names below it, and 127.0.0.1, its own issuer. For tests: the key is public.
 * Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=Test
 * receiver" -addext "subjectAltName=DNS:receiver.example,DNS:*.receiver.example,IP:127.0.0.1"`.
 */
export const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBvzCCAWagAwIBAgIUD//tfTAnoYgoYUA0Sa1KxnPuy/wwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNVGVzdCByZWNlaXZlcjAgFw0yNjExMjExOTU1MTVaGA8yMTI2
MTAyODE5NTUxNVowGDEWMBQGA1UEAwwNVGVzdCByZWNlaXZlcjBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABBVOs4VkPcwcZ94Okw/jjbo6HrGiBw3ItR/B/PgOKCnL
cysllHqmmb/VFqD1HeZUaMw9wJc1P1Dhao+swO5kDQqjgYswgYgwHQYDVR0OBBYE
FOmn3SeiOXCa8xiyaqGwtu23ZlfbMB8GA1UdIwQYMBaAFOmn3SeiOXCa8xiyaqGw
tu23ZlfbMA8GA1UdEwEB/wQFMAMBAf8wNQYDVR0RBC4wLIIQcmVjZWl2ZXIuZXhh
bXBsZYISKi5yZWNlaXZlci5leGFtcGxlhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IGm2dv3yIVYryNQQv1s1cCiDFMVQTgaARzfrsOUaulOtAiA8R8TayVHMMdJWZ1Pn
tmhwhHC9inMkDNtRp7zayMGHRQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDAkOtQ/tuyIRh0xA
kCtnXvOHTZCuwOANuFs4srjEmZ2hRANCAAQVTrOFZD3MHGfeDpMP4426Oh6xogcN
yLUfwfz4Digpy3MrJZR6ppm/1Rag9R3mVGjMPcCXNT9Q4WqPrMDuZA0K
-----END PRIVATE KEY-----`,
};

const trusted = getCACertificates('default');

/** Makes this process trust the certificate until disposal. */
export function trustCertificate(): void {
  setDefaultCACertificates([...trusted, certificate.cert]);
}

/** As it was before `trustCertificate`. */
export function distrustCertificate(): void {
  setDefaultCACertificates(trusted);
}
