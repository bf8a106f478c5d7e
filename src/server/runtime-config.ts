import { apiVersionOf } from '../meta/group-version.ts';
import type { ResourceDefinition } from '../registry/index.ts';

const everyVersion: Readonly<Record<string, RegExp>> = {
  'api/all': /./,
  'api/ga': /^v[0-9]+$/,
  'api/beta': /^v[0-9]+beta[0-9]+$/,
  'api/alpha': /^v[0-9]+alpha[0-9]+$/,
};

export interface AvailableResources {
  /** Served unless disabled. */
  readonly byDefault: readonly ResourceDefinition[];
  /** Served only when enabled. */
  readonly onRequest: readonly ResourceDefinition[];
}

/**
 * Applies `--runtime-config`, such as `apps/v1=false,api/beta=true,v1/events=true`, to the available resources. A
 * setting for a resource takes precedence over one for its version, which takes precedence over the `api/` classes. The
 * order of the settings does not matter. Throws a RangeError for bad input.
 */
export function applyRuntimeConfig({ byDefault, onRequest }: AvailableResources, text: string): ResourceDefinition[] {
  const settings = text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [parseSetting(entry.trim())]));
  if (settings.length === 0) return [...byDefault];
  refuseUnknown(settings, [...byDefault, ...onRequest]);
  const settingOf = (definition: ResourceDefinition): boolean | undefined => {
    const version = apiVersionOf(definition);
    const names = [`${version}/${definition.resource}`, version];
    const single = names.map((name) => settings.findLast((setting) => setting.name === name));
    const general = settings.findLast(({ name }) => everyVersion[name]?.test(definition.version));
    return [...single, general].find((setting) => setting !== undefined)?.enabled;
  };
  const left = [
    ...byDefault.filter((definition) => settingOf(definition) ?? true),
    ...onRequest.filter((definition) => settingOf(definition) ?? false),
  ];
  const isCore = (definition: ResourceDefinition): boolean => apiVersionOf(definition) === 'v1';
  if (left.filter(isCore).length < byDefault.filter(isCore).length) {
    throw new RangeError('the core group v1 cannot be disabled: the server itself needs it');
  }
  return left;
}

interface Setting {
  readonly name: string;
  readonly enabled: boolean;
}

function refuseUnknown(settings: readonly Setting[], definitions: readonly ResourceDefinition[]): void {
  const versions = new Set(definitions.map(apiVersionOf));
  const resources = new Set(definitions.map((definition) => `${apiVersionOf(definition)}/${definition.resource}`));
  for (const { name } of settings) {
    if (Object.hasOwn(everyVersion, name) || versions.has(name) || resources.has(name)) continue;
    const version = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    const what = versions.has(version) ? 'resource' : 'group version';
    throw new RangeError(`unknown or unsupported ${what} in the runtime configuration: ${name}`);
  }
}

function parseSetting(entry: string): Setting {
  const [name = '', ...rest] = entry.split('=');
  const value = rest.length === 0 ? 'true' : rest.join('=');
  if (value !== 'true' && value !== 'false')
    throw new RangeError(`invalid value of ${name}: ${value}, use true or false`);
  return { name: coreName(name), enabled: value === 'true' };
}

/** The core group is written `v1` or `api/v1`. */
function coreName(name: string): string {
  return /^api\/v1(\/|$)/.test(name) ? name.slice('api/'.length) : name;
}
