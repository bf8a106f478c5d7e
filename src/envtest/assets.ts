import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '../pki/atomic-file.ts';

export interface AssetsOptions {
  readonly folder: string;
  /** The program and the script that the executables run. */
  readonly node: string;
  readonly script: string;
}

/**
 * Creates the folder for `KUBEBUILDER_ASSETS`. Several processes may do this concurrently. Returns its absolute path.
 */
export async function makeAssets({ folder, node, script }: AssetsOptions): Promise<string> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    const isFile = error.code === 'EEXIST' || error.code === 'ENOTDIR';
    const problem = isFile ? 'it is a file, or a part of its path is one' : error.message;
    throw new RangeError(`${path} cannot be created: ${problem}; name another directory with --dir`, { cause: error });
  });
  for (const program of ['kube-apiserver', 'etcd'] as const) {
    const command = [node, script, 'envtest', program].map(quoted).join(' ');
    await writeFileAtomically(join(path, program), `#!/bin/sh\nexec ${command} "$@"\n`, 0o755);
  }
  await writeFileAtomically(join(path, 'kubectl'), kubectl, 0o755);
  return path;
}

/** This folder may be on the PATH, too, so the script must not find itself. */
const kubectl = `#!/bin/sh
IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] && ! [ "$folder/kubectl" -ef "$0" ]; then exec "$folder/kubectl" "$@"; fi
done
echo "kubectl is not on the PATH. https://kubernetes.io/docs/tasks/tools/ says where to get it." >&2
exit 127
`;

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\\\''")}'`;
}
