type Hooks = Readonly<Record<string, () => Promise<void>>>;

/** Post-start hooks that wait until the storage versions of this server are updated: writes are refused before that. */
export function afterStorageVersions(hooks: Hooks, update: () => Promise<void>): Hooks {
  let updated: Promise<void> | undefined;
  const updateOnce = (): Promise<void> => {
    updated ??= update();
    return updated;
  };
  const waiting = Object.entries(hooks).map(([name, run]) => [name, () => updateOnce().then(run)] as const);
  return { ...Object.fromEntries(waiting), 'built-in-resources-storage-version-updater': updateOnce };
}
