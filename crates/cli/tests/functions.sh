# What the sessions in `sessions/` call.

# Writes a safetensors file: its header, of at most 248 bytes, and the bytes of its tensors.
safetensors() {
    header=$2
    while test $((${#header} % 8)) -ne 0; do header="$header "; done
    printf "\\$(printf %o ${#header})\0\0\0\0\0\0\0%s%s" "$header" "$3" > "$1"
}

# Writes a `.npy` file of an empty array with this type.
empty_npy() {
    header="{\"descr\": \"$2\", 'fortran_order': False, 'shape': (0,), }"
    printf "\223NUMPY\1\0\\$(printf %o ${#header})\0%s" "$header" > "$1"
}

# Undoes the conversion of a file to a new one, and removes both: there has to be a record, and none beside the new one.
back() {
    ls "$2.layout.json" || return
    extension=${1##*.}
    layout convert "$2" "back.$extension" && cmp "$1" "back.$extension" || return
    rm "$2" "$2.layout.json" "back.$extension" && ! test -e "back.$extension.layout.json"
}

# What a file says of its tensors.
tensors() {
    grep -ao "\"[^\"]*\":{\"dtype\"[^}]*}\|{'descr'[^}]*}" "$1"
}

# What a run leaves that is killed while it writes `target.bin`, with this part of its lock written.
left() {
    printf "$1" > target.bin.layout.lock
    printf left > target.bin.fedcba9876543210.tmp
    printf left > target.bin.layout.json.fedcba9876543210.tmp
}

# What acts on a terminal or turns text around: the escape sequence for a title, a bell, a newline, U+202E.
hostile=$(printf '\033]0;x\007\n\342\200\256')
