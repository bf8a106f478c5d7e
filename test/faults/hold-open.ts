import { openEmbeddedStorage } from '../../src/storage/embedded/open-embedded-storage.ts';

// Opens the directory in its argument, reports the result to its parent and keeps the directory open until it is
// killed.
try {
  await openEmbeddedStorage({ directory: process.argv[2] ?? '' });
  process.send?.({ opened: true });
} catch (error) {
  const { code, message } = error as { code?: string; message?: string };
  process.send?.({ code, message });
}
