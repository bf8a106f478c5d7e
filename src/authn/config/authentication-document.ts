import { decodeYaml } from '../../codec/yaml/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type Shape, shapeProblems } from './strict-reader.ts';

const group = 'apiserver.config.k8s.io';
const kind = 'AuthenticationConfiguration';
const versions = [`${group}/v1`, `${group}/v1beta1`];

/** The document as it was written; validation comes later. Null may stand for absent everywhere. */
export interface AuthenticationDocument {
  readonly jwt?: readonly JwtDocument[] | null;
  readonly anonymous?: {
    readonly enabled?: boolean | null;
    readonly conditions?: readonly ({ readonly path?: string | null } | null)[] | null;
  } | null;
}

export interface JwtDocument {
  readonly issuer?: IssuerDocument | null;
  readonly claimValidationRules?: readonly ClaimRuleDocument[] | null;
  readonly claimMappings?: MappingsDocument | null;
  readonly userValidationRules?: readonly UserRuleDocument[] | null;
}

export interface IssuerDocument {
  readonly url?: string | null;
  readonly discoveryURL?: string | null;
  readonly certificateAuthority?: string | null;
  readonly audiences?: readonly string[] | null;
  readonly audienceMatchPolicy?: string | null;
  readonly egressSelectorType?: string | null;
}

export interface ClaimRuleDocument {
  readonly claim?: string | null;
  readonly requiredValue?: string | null;
  readonly expression?: string | null;
  readonly message?: string | null;
}

export interface UserRuleDocument {
  readonly expression?: string | null;
  readonly message?: string | null;
}

export interface MappingDocument {
  readonly claim?: string | null;
  readonly prefix?: string | null;
  readonly expression?: string | null;
}

export interface MappingsDocument {
  readonly username?: MappingDocument | null;
  readonly groups?: MappingDocument | null;
  readonly uid?: MappingDocument | null;
  readonly extra?: readonly { readonly key?: string | null; readonly valueExpression?: string | null }[] | null;
}

const mapping: Shape = { claim: 'string', prefix: 'string', expression: 'string' };
const shape: Shape = {
  apiVersion: 'string',
  kind: 'string',
  jwt: [
    {
      issuer: {
        url: 'string',
        discoveryURL: 'string',
        certificateAuthority: 'string',
        audiences: ['string'],
        audienceMatchPolicy: 'string',
        egressSelectorType: 'string',
      },
      claimValidationRules: [{ claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' }],
      claimMappings: {
        username: mapping,
        groups: mapping,
        uid: { claim: 'string', expression: 'string' },
        extra: [{ key: 'string', valueExpression: 'string' }],
      },
      userValidationRules: [{ expression: 'string', message: 'string' }],
    },
  ],
  anonymous: { enabled: 'boolean', conditions: [{ path: 'string' }] },
};

/** Reads YAML or JSON, strictly. Throws a RangeError that says what does not belong there. */
export function readAuthenticationDocument(content: string | Buffer): AuthenticationDocument {
  const { value, duplicates } = decoded(Buffer.from(content));
  if (value === null) throw new RangeError('the document is empty');
  const { apiVersion = '', kind: found = '' } = value as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (found !== kind || !versions.includes(String(apiVersion))) {
    throw new RangeError(
      `no kind ${goQuote(String(found))} is registered for version ${goQuote(String(apiVersion))}: expected ${kind} of ${versions.join(' or ')}`,
    );
  }
  const problems = [...duplicates, ...shapeProblems(value, shape)];
  if (problems.length > 0) throw new RangeError(`strict decoding error: ${problems.join(', ')}`);
  return value as AuthenticationDocument;
}

function decoded(content: Buffer): ReturnType<typeof decodeYaml> {
  try {
    return decodeYaml(content);
  } catch (error) {
    if (error instanceof DecodeError) throw new RangeError(error.message, { cause: error });
    throw error;
  }
}
