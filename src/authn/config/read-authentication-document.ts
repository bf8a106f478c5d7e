import { ConfigurationFields } from '../../codec/configuration/index.ts';
import { decodeYaml } from '../../codec/yaml/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type {
  AnonymousDocument,
  AuthenticationDocument,
  ClaimRuleDocument,
  IssuerDocument,
  JwtDocument,
  MappingDocument,
  MappingsDocument,
  UserRuleDocument,
} from './authentication-document.ts';

const group = 'apiserver.config.k8s.io';
const kind = 'AuthenticationConfiguration';
const versions = [`${group}/v1`, `${group}/v1beta1`];

/** Decodes YAML or JSON strictly. Throws a RangeError or a DecodeError that names the unknown or malformed field. */
export function readAuthenticationDocument(content: string | Buffer): AuthenticationDocument {
  const { value, duplicates } = decodeYaml(Buffer.from(content as string));
  if (value === null) throw new RangeError('the document is empty');
  const problems = [...duplicates];
  const fields = new ConfigurationFields(value, {
    unknownField: (path) => problems.push(`unknown field ${goQuote(path)}`),
    wrongType: (path, wrong, wanted) =>
      problems.push(`${path || 'document'}: expected ${wanted}, got ${typeName(wrong)}`),
  });
  checkKind(fields);
  const document = {
    jwt: fields.objects('jwt').map(readJwt),
    ...(fields.has('anonymous') && { anonymous: readAnonymous(fields.object('anonymous')) }),
  };
  fields.end();
  if (problems.length > 0) throw new RangeError(`strict decoding error: ${problems.join(', ')}`);
  return document;
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function checkKind(fields: ConfigurationFields): void {
  const [version, found] = [fields.text('apiVersion'), fields.text('kind')];
  if (found === kind && versions.includes(version)) return;
  const expected = `expected ${kind} of ${versions.join(' or ')}`;
  throw new RangeError(`no kind ${goQuote(found)} is registered for version ${goQuote(version)}: ${expected}`);
}

function readJwt(fields: ConfigurationFields): JwtDocument {
  return {
    issuer: readIssuer(fields.object('issuer')),
    claimValidationRules: fields.objects('claimValidationRules').map(readClaimRule),
    claimMappings: readMappings(fields.object('claimMappings')),
    userValidationRules: fields.objects('userValidationRules').map(readUserRule),
  };
}

function readIssuer(fields: ConfigurationFields): IssuerDocument {
  return {
    url: fields.text('url'),
    discoveryURL: fields.text('discoveryURL'),
    certificateAuthority: fields.text('certificateAuthority'),
    audiences: fields.texts('audiences'),
    audienceMatchPolicy: fields.text('audienceMatchPolicy'),
    egressSelectorType: fields.text('egressSelectorType'),
  };
}

function readClaimRule(fields: ConfigurationFields): ClaimRuleDocument {
  return { claim: fields.text('claim'), requiredValue: fields.text('requiredValue'), ...readUserRule(fields) };
}

function readUserRule(fields: ConfigurationFields): UserRuleDocument {
  return { expression: fields.text('expression'), message: fields.text('message') };
}

function readMappings(fields: ConfigurationFields): MappingsDocument {
  return {
    username: readPrefixed(fields.object('username')),
    groups: readPrefixed(fields.object('groups')),
    uid: readMapping(fields.object('uid')),
    extra: fields
      .objects('extra')
      .map((extra) => ({ key: extra.text('key'), valueExpression: extra.text('valueExpression') })),
  };
}

function readPrefixed(fields: ConfigurationFields): MappingDocument {
  return { ...readMapping(fields), prefix: fields.optionalText('prefix') };
}

function readMapping(fields: ConfigurationFields): MappingDocument {
  return { claim: fields.text('claim'), expression: fields.text('expression') };
}

function readAnonymous(fields: ConfigurationFields): AnonymousDocument {
  return {
    enabled: fields.flag('enabled') ?? false,
    conditions: fields.objects('conditions').map((condition) => ({ path: condition.text('path') })),
  };
}
