// The room of the directory: a script of its own, for those who have cards to search.
export { DirectoryRoom } from './room.ts'
