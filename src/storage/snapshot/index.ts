/**
 * Reads the files of `etcdctl snapshot save`, and the database file of an etcd member, as a storage that cannot be
 * changed. The database format is that of bbolt: a tree of pages, of which only the parts that etcd uses are read here.
 */
export { isSnapshotFile, openSnapshot, type SnapshotStorage } from './snapshot-storage.ts';
