import { Environment } from '@marcbachmann/cel-js';
import { registerCidrs } from './library/cidrs.ts';
import { registerConversions } from './library/conversions.ts';
import { registerFormat } from './library/format.ts';
import { registerIps } from './library/ips.ts';
import { registerLists } from './library/lists.ts';
import { registerOptionals } from './library/optionals.ts';
import { registerRegex } from './library/regex.ts';
import { registerSets } from './library/sets.ts';
import { registerStrings } from './library/strings.ts';
import { registerUrls } from './library/urls.ts';

/** The name of a CEL type, or an object type. */
export type CelType = string | CelObjectType;

export interface CelObjectType {
  /** For example `kubernetes.UserInfo`. A name must always have the same fields. */
  readonly name: string;
  readonly fields: Readonly<Record<string, CelType>>;
}

let base: Environment | undefined;
const environments = new Map<string, Environment>();
const maxEnvironments = 256;

/** Functions are registered only once. Environments with the same variables are shared. */
export function environmentOf(variables: Readonly<Record<string, CelType>>): Environment {
  const key = JSON.stringify(variables);
  let environment = environments.get(key);
  if (environment === undefined) {
    base ??= createBase();
    environment = base.clone();
    for (const [name, type] of Object.entries(variables)) {
      environment.registerVariable(name, registeredType(environment, type));
    }
    if (environments.size >= maxEnvironments) environments.clear();
    environments.set(key, environment);
  }
  return environment;
}

function createBase(): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  registerConversions(environment);
  registerStrings(environment);
  registerFormat(environment);
  registerRegex(environment);
  registerLists(environment);
  registerSets(environment);
  registerOptionals(environment);
  registerUrls(environment);
  registerIps(environment);
  registerCidrs(environment);
  return environment;
}

function registeredType(environment: Environment, type: CelType, known = new Set<string>()): string {
  if (typeof type === 'string') return type;
  if (known.has(type.name)) return type.name;
  known.add(type.name);
  const fields: Record<string, string> = {};
  for (const [field, fieldType] of Object.entries(type.fields)) {
    fields[field] = registeredType(environment, fieldType, known);
  }
  environment.registerType(type.name, { fields });
  return type.name;
}
