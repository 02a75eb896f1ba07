export { default } from "../(list)/loading.tsx";
