/** Loaded into a process of tests (`--import`): what it imports from `src/` comes from the bundle. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { modulesBundle, root } from './bundles.ts';

// The threads of the store have a bundle of their own.
if (isMainThread) await useBundle(pathToFileURL(modulesBundle).href);

async function useBundle(bundle: string): Promise<void> {
  const modules: Readonly<Record<string, object>> = await import(bundle);
  const prefix = `${pathToFileURL(root).href}/`;
  registerHooks({
    load(url, context, nextLoad) {
      const path = url.startsWith(prefix) ? url.slice(prefix.length) : '';
      const module = modules[path];
      if (module === undefined) return nextLoad(url, context);
      const names = Object.keys(module).join(', ');
      const source = `import { '${path}' as module } from '${bundle}';\nexport const { ${names} } = module;`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
