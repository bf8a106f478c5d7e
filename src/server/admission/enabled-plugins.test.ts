import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { enabledPlugins, pluginOrder } from './enabled-plugins.ts';

it('has the default plugins, those that are enabled, and not those that are disabled', () => {
  const { has, isRequested } = enabledPlugins({
    enableAdmissionPlugins: ['NodeRestriction'],
    disableAdmissionPlugins: ['PodSecurity'],
  });
  expect([has('LimitRanger'), has('NodeRestriction'), has('PodSecurity')]).toEqual([true, true, false]);
  expect([isRequested('LimitRanger'), isRequested('NodeRestriction')]).toEqual([false, true]);
});

it.each<[enable: string[], disable: string[], message: string]>([
  [['Gadget'], [], 'enable-admission-plugins plugin "Gadget" is unknown'],
  [
    [],
    ['Gadget', 'limitranger'],
    'disable-admission-plugins plugin "Gadget" is unknown; disable-admission-plugins plugin "limitranger" is unknown',
  ],
  [['toString'], [], 'enable-admission-plugins plugin "toString" is unknown'],
  [
    ['Priority', 'LimitRanger'],
    ['LimitRanger', 'Priority'],
    '[LimitRanger Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
  ],
])('refuses to enable %j and disable %j', (enableAdmissionPlugins, disableAdmissionPlugins, message) => {
  const enable = () => enabledPlugins({ enableAdmissionPlugins, disableAdmissionPlugins });
  expect(enable).toThrow(RangeError);
  expect(enable).toThrow(message);
});

it('runs namespaces first and quotas after what may still change or refuse an object', () => {
  const position = (name: (typeof pluginOrder)[number]): number => pluginOrder.indexOf(name);
  expect(position('NamespaceLifecycle')).toBeLessThan(position('LimitRanger'));
  expect(position('ResourceQuota')).toBeGreaterThan(position('DefaultIngressClass'));
});

it('is documented: every plugin in order, with its default', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/running.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` *\| (on|off) *\|/gm)].map(([, name, state]) => [name, state]);
  const { has } = enabledPlugins({});
  expect(rows).toEqual(pluginOrder.map((name) => [name, has(name) ? 'on' : 'off']));
});
