/** JSON Web Tokens as such: their compact form and their signatures. What the claims mean is known to those who use it. */
export { parseToken, type SignedToken } from './parse-token.ts';
export { fitsAlgorithm, isSignedBy, signatureOf } from './signing-algorithms.ts';
