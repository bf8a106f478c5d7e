/**
 * Maps the cipher suite names of kube-apiserver's flag to those of OpenSSL. Only suites with forward secrecy and
 * authenticated encryption are offered. The first three belong to TLS 1.3.
 */
const cipherSuites: Readonly<Record<string, string>> = {
  TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
  TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
  TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
};

export const defaultCiphers: readonly string[] = Object.values(cipherSuites);

/** The suites of TLS 1.3 are always enabled, as in kube-apiserver. */
const always = defaultCiphers.slice(0, 3);

/** Translates suite names. Throws a RangeError for a suite that is not offered. */
export function ciphersOf(suites: readonly string[]): readonly string[] {
  const chosen = suites.map((suite) => {
    const cipher = Object.hasOwn(cipherSuites, suite) ? cipherSuites[suite] : undefined;
    if (cipher !== undefined) return cipher;
    throw new RangeError(
      `cipher suite ${JSON.stringify(suite)} is not offered: use ${Object.keys(cipherSuites).join(', ')}`,
    );
  });
  return [...new Set([...always, ...chosen])];
}
