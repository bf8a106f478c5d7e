import { dirname, resolve } from 'node:path';
import { CollectedFindings, ConfigurationFields, inContext } from '../../codec/configuration/index.ts';
import { decodeYaml } from '../../codec/yaml/index.ts';
import { duplicateValue, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { OptionFiles } from '../files/option-files.ts';
import { type EnabledPlugins, isPluginName } from './enabled-plugins.ts';
import { checkKind, type PluginFields, pluginReaders } from './plugin-configurations.ts';

type Readers = typeof pluginReaders;
export type ConfigurablePlugin = keyof Readers;

/** The configurations of plugins by name. Those of enabled plugins are present. */
export type AdmissionConfiguration = { readonly [Name in ConfigurablePlugin]?: ReturnType<Readers[Name]> };

const flag = 'admission-control-config-file';
const kind = 'AdmissionConfiguration';
const versions = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1'];

interface PluginEntry {
  readonly name: ConfigurablePlugin;
  /** The path of a file with the configuration, instead of `value`. */
  readonly path: string | undefined;
  readonly value: unknown;
}

/**
 * Reads an AdmissionConfiguration, and completes it with the defaults of enabled plugins. Rejects with a RangeError
 * that lists all errors. Paths are relative to the file that contains them.
 */
export async function loadAdmissionConfiguration(
  file: string | undefined,
  { enabled, files }: { readonly enabled: EnabledPlugins; readonly files: OptionFiles },
): Promise<AdmissionConfiguration> {
  const result: Partial<Record<ConfigurablePlugin, unknown>> = {};
  if (file !== undefined) {
    const content = await files.read(flag, file);
    for (const { name, path, value } of inContext(flag, () => entriesOf(content))) {
      const own = path === undefined ? undefined : resolve(dirname(file), path);
      const document = own === undefined ? value : await readDocument(files, own);
      result[name] = inContext(`${flag}: ${name}`, () => readConfiguration(name, document, dirname(own ?? file)));
    }
  }
  for (const name of Object.keys(pluginReaders) as ConfigurablePlugin[]) {
    if (enabled.has(name) && !Object.hasOwn(result, name)) {
      result[name] = inContext(`${flag}: ${name}`, () => readConfiguration(name, undefined, ''));
    }
  }
  return result as AdmissionConfiguration;
}

function entriesOf(content: Buffer): PluginEntry[] {
  const findings = new CollectedFindings();
  const { value, duplicates } = decodeYaml(content);
  findings.decoding.push(...duplicates);
  const root = new ConfigurationFields(value, findings);
  checkKind(root, kind, versions);
  const names = new Set<string>();
  const entries = root.objects('plugins').map((fields) => {
    const name = fields.text('name');
    checkName(fields, name, names);
    names.add(name);
    const path = fields.text('path') || undefined;
    const inline = fields.value('configuration');
    if (path !== undefined && inline !== undefined) {
      findings.add(invalidValue(fields.path('path'), path, 'must not be set together with configuration'));
    }
    return { name: name as ConfigurablePlugin, path, value: inline };
  });
  root.end();
  findings.check();
  // A plugin without a configuration may be listed.
  return entries.filter(({ name }) => Object.hasOwn(pluginReaders, name));
}

function checkName(fields: PluginFields, name: string, known: ReadonlySet<string>): void {
  const path = fields.path('name');
  if (name === '') fields.findings.add(requiredValue(path));
  else if (!isPluginName(name)) fields.findings.add(invalidValue(path, name, 'unknown admission plugin'));
  else if (known.has(name)) fields.findings.add(duplicateValue(path, name));
  else if (!Object.hasOwn(pluginReaders, name) && (fields.has('configuration') || fields.text('path') !== '')) {
    fields.findings.add(invalidValue(path, name, 'this plugin has no configuration'));
  }
}

async function readDocument(files: OptionFiles, path: string): Promise<unknown> {
  const content = await files.read(flag, path);
  return inContext(`${flag}: ${path}`, () => {
    const { value, duplicates } = decodeYaml(content);
    if (duplicates.length > 0) throw new RangeError(`strict decoding error: ${duplicates.join(', ')}`);
    return value;
  });
}

function readConfiguration(name: ConfigurablePlugin, value: unknown, directory: string): unknown {
  const findings = new CollectedFindings();
  const fields = new ConfigurationFields(value, findings);
  const configuration = pluginReaders[name](fields, { isGiven: (value ?? undefined) !== undefined, directory });
  fields.end();
  findings.check();
  return configuration;
}
