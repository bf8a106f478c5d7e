/** A directory that no other server can use until it is released. */
export interface DirectoryLock {
  release(): void;
}

/**
 * Takes the lock of a store in the directory without opening one, for servers that keep only their keys there. Rejects
 * with `InUse` when another server has it. The lock ends with the process.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  // Loaded on demand, because stores are opened in other threads.
  const { takeLock } = await import('./database.ts');
  const lock = takeLock(directory);
  return { release: () => void lock.close() };
}
