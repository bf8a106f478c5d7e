import { apiVersionOf } from '../meta/group-version.ts';
import type { ResourceDefinition } from '../registry/index.ts';

const everyVersion: Readonly<Record<string, RegExp>> = {
  'api/all': /./,
  'api/ga': /^v[0-9]+$/,
  'api/beta': /^v[0-9]+beta[0-9]+$/,
  'api/alpha': /^v[0-9]+alpha[0-9]+$/,
};

/**
 * The definitions that `--runtime-config` leaves: `apps/v1=false,api/beta=true`. Single versions are decided after the `api/`
 * classes, whatever their order. Throws a RangeError that says what is wrong.
 */
export function applyRuntimeConfig(
  definitions: readonly ResourceDefinition[],
  text: string,
): readonly ResourceDefinition[] {
  const settings = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [parsed(part.trim())]));
  const known = new Set(definitions.map(apiVersionOf));
  for (const { name } of settings) {
    if (!Object.hasOwn(everyVersion, name) && !known.has(coreName(name))) {
      throw new RangeError(`unknown or unsupported group version in the runtime configuration: ${name}`);
    }
  }
  const classes = settings.filter(({ name }) => Object.hasOwn(everyVersion, name));
  const single = settings.filter(({ name }) => !Object.hasOwn(everyVersion, name));
  const left = definitions.filter((definition) => {
    const own = single.findLast(({ name }) => coreName(name) === apiVersionOf(definition));
    const general = classes.findLast(({ name }) => everyVersion[name]!.test(definition.version));
    return (own ?? general)?.enabled ?? true;
  });
  if (!left.some((definition) => apiVersionOf(definition) === 'v1')) {
    throw new RangeError('the core group v1 cannot be switched off: the server itself needs it');
  }
  return left;
}

/** The core group is written `v1` or `api/v1`. */
function coreName(name: string): string {
  return name.startsWith('api/') ? name.slice('api/'.length) : name;
}

function parsed(part: string): { name: string; enabled: boolean } {
  const [name = '', ...rest] = part.split('=');
  const value = rest.length === 0 ? 'true' : rest.join('=');
  if (value !== 'true' && value !== 'false')
    throw new RangeError(`invalid value of ${name}: ${value}, use true or false`);
  return { name, enabled: value === 'true' };
}
