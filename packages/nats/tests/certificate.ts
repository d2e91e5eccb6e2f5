/**
 * A certificate for `localhost`, its own issuer. For tests: the key is public. Created by `openssl req -x509
 * -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=Test NATS" -addext
 * "subjectAltName=DNS:localhost"`.
 */
export const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUPmFrzm9lSWeQzj06Tu80QgAUSRkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJVGVzdCBOQVRTMCAXDTI2MTEyMjEyMDgwNFoYDzIxMjYxMDI5
MTIwODA0WjAUMRIwEAYDVQQDDAlUZXN0IE5BVFMwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT5wRuc65kSLpaNmOO6WKWFpuXBHQ0wCvS8z+v6ESSc0PE97eEe2M+P
mFpp3goXpDmXCEZcg47cbs3zxtMZy2cvo2kwZzAdBgNVHQ4EFgQUozt9J80Kqaf5
+KMkbh3Z/KkrksEwHwYDVR0jBBgwFoAUozt9J80Kqaf5+KMkbh3Z/KkrksEwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgLrD8sDZBCz+8y+BjJCWI2xfCpQmXRujuDVDtr3R8k5ACIQDoVhn7m46K
g5ngBoCbLjBOEmLYYXSDbBM84FmRsiFSJA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevl6cBxrd0utLB/q
JGvHzB7s+7IWHjyH3H5GvpVrc0KhRANCAAT5wRuc65kSLpaNmOO6WKWFpuXBHQ0w
CvS8z+v6ESSc0PE97eEe2M+PmFpp3goXpDmXCEZcg47cbs3zxtMZy2cv
-----END PRIVATE KEY-----
`,
};
