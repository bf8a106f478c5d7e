/** Loaded into test processes with `--import`. Resolves imports from `src/` to the bundle. */
import { createRequire, registerHooks, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { modulesBundle, root } from './bundles.ts';

useBundle(pathToFileURL(modulesBundle).href);
startThreadsWithout(`--import=${import.meta.filename}`);

function useBundle(bundle: string): void {
  const prefix = `${pathToFileURL(root).href}/src/`;
  const require = createRequire(import.meta.url);
  let modules: Readonly<Record<string, object>> | undefined;
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith(prefix)) return nextLoad(url, context);
      // The bundle is loaded on demand, because many test files only test other processes.
      modules ??= require(modulesBundle) as Readonly<Record<string, object>>;
      const path = `src/${url.slice(prefix.length)}`;
      const module = modules[path];
      if (module === undefined) return nextLoad(url, context);
      const names = Object.keys(module).join(', ');
      const source = `import { '${path}' as module } from '${bundle}';\nexport const { ${names} } = module;`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/**
 * Starts threads without this preload. They have their own bundles, and loading this TypeScript file would double their
 * start time.
 */
function startThreadsWithout(argument: string): void {
  const execArgv = process.execArgv.filter((arg) => arg !== argument);
  workerThreads.Worker = class extends workerThreads.Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(script, { execArgv, ...options });
    }
  };
  syncBuiltinESMExports();
}
