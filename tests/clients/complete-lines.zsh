# Types lines into an interactive shell on a terminal, each with Tab at its end, and prints what the shell
# makes of them. Usage: zsh -f complete-lines.zsh bash|zsh FOLDER LINE...

zmodload zsh/zpty zsh/datetime
name=$1 folder=$2
shift 2
export RESULT=$folder/result HISTFILE= PS1='> '

case $name in
  zsh)
    # The key after Tab writes the line as it is now.
    print -r -- 'autoload -Uz compinit && compinit -u -D
      source <(mediamill completion zsh)
      write-line() { print -rn -- "$BUFFER" > $RESULT.part; mv $RESULT.part $RESULT }
      zle -N write-line; bindkey "^X^W" write-line; setopt no_beep' > $folder/setup
    shell=(zsh -f -i)
    ;;
  bash)
    print -r -- 'source <(mediamill completion bash)
      write_line() { printf %s "$READLINE_LINE" > $RESULT.part; mv $RESULT.part $RESULT; }
      bind -x "\"\C-x\C-w\": write_line" 2> /dev/null' > $folder/setup
    shell=(bash --norc --noprofile -i)
    ;;
esac

zpty -b terminal $shell
zpty -w terminal "cd ${(q)folder}; source ./setup; echo > ./ready"

# Waits for a file, and reads what the shell writes meanwhile, so that it never has to wait.
await() {
  local limit=$((EPOCHREALTIME + 20)) output
  until [[ -e $1 ]]; do
    zpty -r -t terminal output || sleep 0.02
    if ((EPOCHREALTIME > limit)); then
      print -ru2 -- "no answer: $output"
      exit 1
    fi
  done
}

await $folder/ready
for line; do
  rm -f $RESULT
  zpty -w -n terminal "$line"$'\t'
  # What is typed while the completion runs is taken for an answer to its question.
  sleep 0.4
  zpty -w -n terminal $'\C-x\C-w'
  await $RESULT
  print -r -- "$(<$RESULT)"
  zpty -w -n terminal $'\C-a\C-k'
done
zpty -d terminal
