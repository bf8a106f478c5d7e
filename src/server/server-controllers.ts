import { quotaMeasure } from '../admission/index.ts';
import type { TokenIssuer } from '../authn/index.ts';
import { certificateControllers, standardSigners } from '../controllers/certificates/index.ts';
import { builtInControllers, type Controller, serviceAccountTokenController } from '../controllers/index.ts';
import { requestedIdentity } from './certificates/index.ts';
import type { ServingMaterial } from './serving-material.ts';

/** All controllers that there are, with the keys that some of them need. */
export function serverControllers({ servedCa: caCert, signer }: ServingMaterial, tokens: TokenIssuer): Controller[] {
  const issuers = signer === undefined ? {} : Object.fromEntries(standardSigners.map((name) => [name, signer]));
  return [
    ...builtInControllers({ caCert, quotaMeasure }),
    serviceAccountTokenController({ caCert, sign: (subject) => tokens.issueForSecret(subject) }),
    ...certificateControllers({ readIdentity: requestedIdentity, issuers }),
  ];
}
