// The error whose message is meant for the person who started the service: one clear sentence, shown without a stack.
export class StartError extends Error {
  override name = 'StartError'
}

export function computeReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space is left on the device',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a file is in its place',
    ENOENT: 'it does not exist',
  }
  return known[code ?? ''] ?? message
}
