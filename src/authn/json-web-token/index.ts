/**
 * The compact serialization and the signatures of JSON Web Tokens. The meaning of the claims is up to the users of this
 * folder.
 */
export { parseToken, type SignedToken } from './parse-token.ts';
export { createSignature, fitsAlgorithm, isSignedBy } from './signing-algorithms.ts';
